/** What a process needs to send mails in the name of organizations. */
import type { KeyObject } from 'node:crypto';
import { mailKeyOf } from '../platform/security/seal.js';
import type { Config } from './config.js';
import type { Metrics } from '../platform/metrics.js';
import type { Collections } from './database.js';
import {
  createMailRecipientStore,
  type MailRecipientStore,
} from '../account/store/mailRecipients.js';
import { createMailGate, type MailGate } from '../deliveries/recipients/gate.js';

export interface MailGuards {
  mailRecipients: MailRecipientStore;
  mailGate: MailGate;
  /** Signs the links by which recipients confirm. */
  mailKey: KeyObject;
}

export function createMailGuards(from: {
  config: Pick<Config, 'mail'>;
  metrics: Metrics;
  collections: Pick<Collections, 'mailRecipients' | 'rates'>;
  secret: string;
}): MailGuards {
  const { config, metrics, collections } = from;
  const mailRecipients = createMailRecipientStore(collections.mailRecipients);
  const mailGate = createMailGate({
    recipients: mailRecipients,
    rates: collections.rates,
    allowedDomains: config.mail.allowedDomains,
    perDay: config.mail.perOrgPerDay,
    onLimit: () => metrics.mailsHeld.inc(),
  });
  return { mailRecipients, mailGate, mailKey: mailKeyOf(from.secret) };
}
