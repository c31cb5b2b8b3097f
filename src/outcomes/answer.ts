/** A change of a sale as it is shown outside: money in currency, instants as text. */
import type { z } from 'zod';
import { fromMicros } from '../fields/money.js';
import type { OutcomeView } from './schemas/outcome.js';
import type { SaleChanges } from './types.js';

export type OutcomeData = z.infer<typeof OutcomeView>;

type Made = Awaited<ReturnType<SaleChanges['make']>>;

export function outcomeData({ answer, replayed }: Made): OutcomeData {
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
