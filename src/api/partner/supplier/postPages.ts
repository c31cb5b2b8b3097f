/** Leads and pings of a supplier in one list, newest first: each is read by its own index, and the two are merged. */
import type { z } from 'zod';
import { AppError } from '../../../lib/errors.js';
import { SOLD_STATUSES } from '../../../leads/rules/leadStatus.js';
import { createSupplierLeads, type SupplierLead } from '../../../leads/store/supplierLeads.js';
import { findLeads, type LeadFilter } from '../../../leads/store/leadPages.js';
import { findPings, type ListedPing } from '../../../pings/store/pingPages.js';
import type { Found, Place, Wanted } from '../../../platform/mongo/pages.js';
import type { PartnerContext } from '../call.js';
import type { PostFilter } from '../schemas/supplierPosts.js';

type PostSearch = z.output<typeof PostFilter>;

export type FoundPost = { kind: 'lead'; lead: SupplierLead } | { kind: 'ping'; ping: ListedPing };

interface Listed {
  place: Place;
  /** Null: not a post of the supplier, though it takes a place in the list of leads. */
  post: FoundPost | null;
}

interface Source {
  rows: Listed[];
  isMore: boolean;
}

/** @throws {AppError} `action_refused` when the search would have to skip too many to fill a page */
export async function findPosts(
  search: PostSearch,
  wanted: Wanted,
  context: PartnerContext,
): Promise<Found<FoundPost>> {
  // No ping has a status of leads.
  const withPings = search.kind !== 'lead' && search.status === undefined;
  const [leads, pings] = await Promise.all([
    search.kind === 'ping' ? NONE : leadsOf(search, wanted, context),
    withPings ? pingsOf(search, wanted, context) : NONE,
  ]);
  const all = [...leads.rows, ...pings.rows].sort(byNewest);
  const rows = all.slice(0, wanted.limit);
  const last = rows.at(-1);
  const isMore = leads.isMore || pings.isMore || all.length > rows.length;
  return {
    docs: rows.flatMap(({ post }) => post ?? []),
    next: isMore && last ? last.place : null,
  };
}

const NONE: Source = { rows: [], isMore: false };

const byNewest = ({ place: a }: Listed, { place: b }: Listed): number =>
  Number(b.at) - Number(a.at) || (a.id < b.id ? 1 : -1);

async function leadsOf(
  search: PostSearch,
  wanted: Wanted,
  context: PartnerContext,
): Promise<Source> {
  const { collections, org_id, party_id: supplier_id } = context;
  const { campaign_id, is_test } = search;
  const filter: LeadFilter = {
    org_id,
    supplier_id,
    is_test,
    campaign_id,
    statuses: search.status && STATUSES[search.status],
    ...spanOf(search),
  };
  const found = await findLeads(collections.leads, filter, wanted);
  if (!found) throw tooRare();
  const own = createSupplierLeads(collections.leads, { org_id, supplier_id });
  const posted = await own.get(found.docs.map(({ _id }) => _id));
  const rows = found.docs.map(({ _id, created_at }): Listed => {
    const lead = posted.get(_id);
    return { place: { at: created_at, id: _id }, post: lead ? { kind: 'lead', lead } : null };
  });
  return { rows, isMore: found.next !== null };
}

const STATUSES = {
  ACCEPTED: SOLD_STATUSES,
  PENDING: ['PENDING'],
  UNMATCHED: ['UNMATCHED'],
  DUPLICATE: ['DUPLICATE'],
  REJECTED: ['REJECTED'],
  EXPIRED: ['EXPIRED'],
} as const satisfies Record<NonNullable<PostSearch['status']>, LeadFilter['statuses']>;

async function pingsOf(
  search: PostSearch,
  wanted: Wanted,
  context: PartnerContext,
): Promise<Source> {
  const { collections, org_id, party_id: supplier_id } = context;
  const { campaign_id, is_test } = search;
  const filter = { org_id, supplier_id, is_test, campaign_id, ...spanOf(search) };
  const found = await findPings(collections.pings, filter, wanted);
  const rows = found.docs.map((ping): Listed => ({
    place: { at: ping.created_at, id: ping._id },
    post: { kind: 'ping', ping },
  }));
  return { rows, isMore: found.next !== null };
}

const spanOf = ({ from, to }: PostSearch) => ({
  from: from ? new Date(from) : undefined,
  before: to ? new Date(to) : undefined,
});

const tooRare = (): AppError =>
  new AppError(
    'action_refused',
    'There are too few such posts among too many. Ask for fewer days.',
  );
