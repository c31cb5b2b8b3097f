/** A change of a sale as it is shown outside: money in currency, instants as text. */
import { fromMicros } from '../fields/money.js';
import type { SaleChanges } from './types.js';

export interface OutcomeData {
  lead_id: string;
  status: string;
  outcome: string | null;
  conversion_revenue: number | null;
  lead_value: number | null;
  note: string | null;
  updated_at: string;
  replayed: boolean;
}

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
