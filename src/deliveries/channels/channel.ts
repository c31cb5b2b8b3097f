/** One way to deliver a lead to a buyer. */
import type { Keyring } from '../../platform/security/seal.js';
import type { Clock } from '../../lib/clock.js';
import type { DeliveryVerdict } from '../rules/delivery.js';
import type { DeliveryMethod, DeliverySettings } from '../../account/rules/deliverySettings.js';
import type { DeliveredLead } from '../rules/payload.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import type { OutboundHttp } from '../../platform/outbound/http.js';
import type { MailGate } from '../recipients/gate.js';
import type { Mail } from '../../platform/outbound/mail/mail.js';
import type { SheetOwners } from '../../account/store/spreadsheets.js';
import type { Sheets } from '../../platform/outbound/sheets/sheets.js';

/** The outbound clients; null where this installation has not configured them. */
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
  /** The organization of the lead. */
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
  /** The receiver's answer, of any length. */
  answer?: string;
}

/** Never sends a lead twice, and returns `not_taken` only when the receiver definitely did not accept it. */
export type Channel<M extends DeliveryMethod> = (
  outgoing: Outgoing,
  settings: DeliverySettings<M>,
  deps: ChannelDeps,
) => Promise<ChannelReply>;
