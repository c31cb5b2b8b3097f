/** One way to hand a lead to a buyer. */
import type { Keyring } from '../../src/auth/seal.js';
import type { Clock } from '../../src/clock.js';
import type { DeliveryVerdict } from '../../src/domain/delivery.js';
import type { DeliveryMethod, DeliverySettings } from '../../src/domain/deliverySettings.js';
import type { DeliveredLead } from '../../src/domain/payload.js';
import type { BuyerTerms } from '../../src/domain/plan.js';
import type { OutboundHttp } from '../../src/integrations/http.js';
import type { MailGate } from '../../src/recipients/gate.js';
import type { Mail } from '../../src/integrations/mail/mail.js';
import type { SheetOwners } from '../../src/store/spreadsheets.js';
import type { Sheets } from '../../src/integrations/sheets/sheets.js';

/** The doors to the outside; null where the settings of this installation have none. */
export interface ChannelDeps {
  outbound: OutboundHttp;
  mail: Mail | null;
  mailGate: MailGate;
  sheets: Sheets | null;
  sheetOwners: SheetOwners;
  keyring: Keyring;
  clock: Clock;
}

export interface Outgoing {
  /** Whose lead it is. */
  org_id: string;
  lead: DeliveredLead;
  terms: BuyerTerms;
  /** The campaign's fields, in the order of its mapping. */
  fieldNames: readonly string[];
  /** Nothing may be begun after this, on the clock of `performance.now()`. */
  sendBy: number;
  /** An earlier request was never answered: the receiver may have the lead already. */
  unanswered?: boolean;
}

export interface ChannelReply {
  verdict: DeliveryVerdict;
  /** What the receiver answered, of any length. */
  answer?: string;
}

/** Never sends a lead twice, and says `not_taken` only when it surely was not taken. */
export type Channel<M extends DeliveryMethod> = (
  outgoing: Outgoing,
  settings: DeliverySettings<M>,
  deps: ChannelDeps,
) => Promise<ChannelReply>;

/** A plan may name a door that the settings of this installation have no more. */
export const noDoor = (setting: string): ChannelReply => ({
  verdict: { result: 'not_taken', reason: `${setting} is not set in this installation` },
});
