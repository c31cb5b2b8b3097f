/** Asks the recipients of mails whether they want them, and records their confirmation. */
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Background } from '../../lib/background.js';
import type { Clock } from '../../lib/clock.js';
import { printable } from '../rules/answerValues.js';
import type { Mail } from '../../platform/outbound/mail/mail.js';
import type { Log } from '../../lib/log.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { MailRecipientStore } from '../../account/store/mailRecipients.js';
import { isAllowedDomain, type MailGate } from './gate.js';

/** The recipients in settings. */
export interface AskedSettings {
  /** Set for mail deliveries and mail targets only. */
  to?: readonly string[];
  cc?: readonly string[];
}

export interface ConfirmationDeps {
  collections: Pick<AccountCollections, 'orgs'>;
  recipients: MailRecipientStore;
  gate: MailGate;
  /** Null: this installation sends no mail. */
  mail: Mail | null;
  allowedDomains: readonly string[];
  key: KeyObject;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Pick<Log, 'warn'>;
  background: Pick<Background, 'add'>;
  /** The public address of the API. */
  url: () => string;
}

/** How long a link is valid. */
const VALID_MS = 7 * 86_400_000;
const TIMEOUT_MS = 20_000;
const NAME_MAX = 120;

export type Confirmations = ReturnType<typeof createConfirmations>;

export function createConfirmations(deps: ConfirmationDeps) {
  const { collections, recipients, gate, mail, key, clock, log } = deps;

  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const linkFor = (id: string): string => {
    const text = `${id}.${String(Number(clock.now()) + VALID_MS)}`;
    return `${deps.url().replace(/\/$/, '')}/mail/confirm?token=${text}.${sign(text)}`;
  };
  const idOf = (token: string): string | null => {
    const [id = '', until = '', given = '', ...more] = token.split('.');
    const right = Buffer.from(sign(`${id}.${until}`));
    const isRight =
      more.length === 0 &&
      Buffer.byteLength(given) === right.length &&
      timingSafeEqual(Buffer.from(given), right);
    return isRight && Number(until) > Number(clock.now()) ? id : null;
  };
  const nameOf = async (orgId: string): Promise<string> => {
    const org = await collections.orgs.findOne({ _id: orgId });
    return printable(org?.name ?? '').slice(0, NAME_MAX);
  };
  const read = async (token: string) => {
    const id = idOf(token);
    // Anyone may send a token; the database is only read for links of ours.
    const found = id === null ? null : await recipients.get(id);
    return found && { address: found.address, organization: await nameOf(found.org_id) };
  };

  const askOne = async (id: string, address: string, orgId: string): Promise<void> => {
    const drawn = await gate.draw(orgId);
    const reply = drawn.allowed
      ? await mail?.send({
          content: questionFor(id, address, await nameOf(orgId), linkFor(id)),
          timeoutMs: TIMEOUT_MS,
          sendBy: clock.monotonic() + TIMEOUT_MS,
        })
      : undefined;
    if (reply?.kind === 'taken') return;
    await recipients.notAsked(id);
    log.warn({ recipient_id: id, org_id: orgId }, 'a recipient of mails could not be asked');
  };

  const askAll = async (orgId: string, addresses: readonly string[]): Promise<void> => {
    try {
      const found = await recipients.toAsk(orgId, addresses, clock.now());
      await Promise.all(found.map(({ _id, address }) => askOne(_id, address, orgId)));
    } catch (error) {
      log.warn({ err: error, org_id: orgId }, 'recipients of mails could not be asked');
    }
  };

  return {
    /**
     * Mails a confirmation link to the recipients of the settings that must confirm and got none lately. It is not
     * awaited: a mail server may take longer than a caller's timeout. Where the link could not be sent, saving the address
     * again sends it; mails to that recipient wait until then.
     */
    ask(orgId: string, settings: object): void {
      const { to = [], cc = [] } = settings as AskedSettings;
      const unconfirmed = [...to, ...cc].filter(
        (one) => !isAllowedDomain(one, deps.allowedDomains),
      );
      if (mail && unconfirmed.length > 0) deps.background.add(askAll(orgId, unconfirmed));
    },
    /** The recipient of a link; null where the link is not one of ours, or has expired. Changes nothing. */
    read,
    /** The same, and records the confirmation. */
    async confirm(token: string): ReturnType<typeof read> {
      const found = await read(token);
      if (found) await recipients.confirm(idOf(token) ?? '', clock.now());
      return found;
    },
  };
}

const questionFor = (id: string, address: string, organization: string, link: string) => ({
  to: [address],
  cc: [],
  subject: printable(`Please confirm: mails from ${organization}`).slice(0, 200),
  text:
    `${organization} wants to send mails about its leads to ${address}.\n\nIf you want them, open this page within 7 ` +
    `days and confirm:\n\n${link}\n\nIf you do not want them, do nothing. You will get no further mails from it.\n`,
  messageName: `confirm.${id}`,
  headers: { 'Auto-Submitted': 'auto-generated' },
});
