/** The wire contract of the buyer's postback (contract 7.1). */
import { z } from 'zod';
import { fromMicros } from '../../fields/money.js';
import { NOTE_MAX, KEY_MAX } from '../rules/outcomeBody.js';
import { BUYER_OUTCOMES } from '../../leads/rules/saleChange.js';
import type { ChangeResult } from '../types.js';

const text = (what: string) => z.string().nullable().optional().describe(what);
const scalar = (what: string) =>
  z.union([z.string(), z.number(), z.boolean()]).nullable().optional().describe(what);
/** A form has no numbers: there they are decimal text. */
const money = (what: string) =>
  z
    .union([z.number().min(0), z.string()])
    .nullable()
    .optional()
    .describe(what);

export const OutcomeBody = z
  .looseObject({
    outcome: text(
      `${BUYER_OUTCOMES.join(', ')}: becomes the status of the lead. If absent, only the rest is recorded`,
    ),
    conversion_revenue: money(
      'Revenue of the conversion, at most 4 decimals; it counts while the lead is converted',
    ),
    revenue: money('Another name of conversion_revenue'),
    lead_value: money("The buyer's own deal value, for reports; it changes no revenue"),
    note: scalar(`Free text, at most ${NOTE_MAX} characters`),
    idempotency_key: scalar(
      `Identifies this postback, at most ${KEY_MAX} characters: the same key and body get the first answer`,
    ),
    lead_id: text('The lead, by the lead_id of its delivery; the best way'),
    campaign_id: text('The campaign of the lead; required with the fields below'),
    phone: scalar('The lead, by its phone'),
    email: scalar('The lead, by its email'),
    click_id: scalar('The lead, by its field click_id'),
    match_field: text("The lead, by any field of the campaign's mapping: the name of the field"),
    match_value: scalar('The value of that field'),
  })
  .meta({
    description:
      'At least one of outcome, conversion_revenue, lead_value and note, and one way to name the lead. Other keys ' +
      'are ignored; an empty text or null counts as missing. In JSON money is a number; in a form it is decimal text.',
    examples: [
      {
        lead_id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10',
        outcome: 'converted',
        conversion_revenue: 120,
        idempotency_key: 'deal-4711',
      },
    ],
  });

const Money = z.number().nullable();

export const OutcomeView = z.object({
  lead_id: z.string().describe('The lead'),
  status: z.string().describe('The current status of the lead: the latest outcome reported for it'),
  outcome: z.string().nullable().describe('The outcome of the sale to this buyer; null: none yet'),
  conversion_revenue: Money.describe('The latest value reported; null: never'),
  lead_value: Money.describe('The latest value reported; null: never'),
  note: z.string().nullable().describe('The latest value reported; null: never'),
  updated_at: z.iso.datetime().describe('When the change was applied, in UTC'),
  replayed: z.boolean().describe('true: the answer of an earlier request with the same key'),
});

export type OutcomeData = z.infer<typeof OutcomeView>;

/** A change of a sale as it is shown outside: money in currency, instants as text. */
export function outcomeData({ answer, replayed }: ChangeResult): OutcomeData {
  const { lead_id, status, outcome, conversion_revenue, lead_value, note, updated_at } = answer;
  return {
    lead_id,
    status,
    outcome,
    conversion_revenue: conversion_revenue === null ? null : fromMicros(conversion_revenue),
    lead_value: lead_value === null ? null : fromMicros(lead_value),
    note,
    updated_at: updated_at.toISOString(),
    replayed,
  };
}

export const OutcomeResult = z
  .object({ success: z.literal(true).describe('Always true'), data: OutcomeView })
  .describe('The outcome is stored; this is the state of the lead.');
