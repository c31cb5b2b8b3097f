/** Money: the revenue and cost of a sale, and how amounts are written outside. */
import type { BuyerTerms, SupplierTerms } from './plan.js';
import { WIRE_STEPS, type Micros } from '../../fields/money.js';

/** Integers, and price = cost + profit always. */
export interface LeadMoney {
  price: Micros;
  cost: Micros;
  /** Negative when the supplier gets more than the buyer pays. */
  profit: Micros;
}

/** The terms that decide what a supplier gets. */
export type CostTerms = Pick<SupplierTerms, 'cost_mode' | 'cost_per_lead' | 'revenue_share'>;

/**
 * Price and cost of one sale. A test lead has neither (contract 2.6).
 * @param input.price what the buyer pays
 * @param input.promised what the supplier was promised for a sale to this buyer: it replaces the supplier's terms
 */
export function priceLead(input: {
  price: Micros;
  supplier: CostTerms;
  is_test: boolean;
  /** A sale of a lead that is already sold: a fixed cost is paid once. */
  further: boolean;
  promised?: Micros;
}): LeadMoney {
  if (input.is_test) return { price: 0, cost: 0, profit: 0 };
  const isPaid = input.further && input.supplier.cost_mode === 'FIXED';
  const cost = isPaid ? 0 : (input.promised ?? costOf(input.price, input.supplier));
  return { price: input.price, cost, profit: input.price - cost };
}

/** The price of a sale to the buyer: its link's, or that of the promised bid. */
export const termsPrice = ({
  price,
  locked,
}: Pick<BuyerTerms, 'price' | 'locked'>): { price: Micros; promised: Micros | undefined } => ({
  price,
  promised: locked?.cost,
});

function costOf(price: Micros, supplier: CostTerms): Micros {
  switch (supplier.cost_mode) {
    case 'FIXED':
      return supplier.cost_per_lead;
    case 'REVENUE_SHARE':
      return shareOf(price, supplier.revenue_share);
    case 'NONE':
      return 0;
  }
}

/** A percentage (to four decimals) of an amount, rounded half up to a micro-unit, exact at any size. */
function shareOf(amount: Micros, percent: number): Micros {
  const whole = 100n * BigInt(WIRE_STEPS);
  const share = BigInt(amount) * BigInt(Math.round(percent * WIRE_STEPS));
  return Number((share + whole / 2n) / whole);
}
