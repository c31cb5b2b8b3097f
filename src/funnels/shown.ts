/** What visitors of a funnel are shown now: read rarely, however many visitors come. */
import type { AccountCache } from '../account/access/accountCache.js';
import { getOwn } from '../lib/getOwn.js';
import type { FieldRule } from '../fields/fieldRule.js';
import type { Clock } from '../lib/clock.js';
import { lruMap } from '../lib/lruMap.js';
import type { FunnelDefinition } from './rules/definition.js';
import { fitForSharedOrigin } from './rules/sharedOrigin.js';
import type { FunnelCollections } from './store/collections.js';
import type { FunnelDoc, FunnelVersionDoc } from './store/funnelDocs.js';

export interface ShownFunnel {
  funnel: FunnelDoc;
  /** The published version; of a preview, the draft's. */
  version: number;
  definition: FunnelDefinition;
  /** The campaign's current mapping as a whole, system fields included; empty when the campaign is gone. */
  fields: readonly FieldRule[];
  /** A ping comes before each lead of the campaign. */
  isPingPost: boolean;
  /** The draft, whose leads are tests. */
  isPreview: boolean;
  /** It accepts no answers now: unpublished, or its campaign or its supplier is paused or gone. */
  isClosed: boolean;
  /** Of the account: its days are counted by it. UTC when the campaign is gone. */
  timeZone: string;
}

interface ShownDeps {
  collections: Pick<FunnelCollections, 'funnels' | 'funnelVersions'>;
  accountCache: Pick<AccountCache, 'plan' | 'refresh'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Funnels have a separate origin. */
  ownOrigin: boolean;
}

/** How long an address is answered from memory, in milliseconds. */
const REMEMBERED_MS = 500;
const SLUGS_MAX = 1_000;
const VERSIONS_MAX = 200;

interface Remembered {
  until: number;
  reading: Promise<ShownFunnel | null>;
  /** The last successful read: shown while the database does not answer, so that visitors keep what they have typed. */
  last: ShownFunnel | undefined;
}

export type ShownFunnels = ReturnType<typeof createShownFunnels>;

export function createShownFunnels({ collections, accountCache, clock, ownOrigin }: ShownDeps) {
  const shownAs = (definition: FunnelDefinition): FunnelDefinition =>
    ownOrigin ? definition : fitForSharedOrigin(definition);

  const remembered = lruMap<string, Remembered>(SLUGS_MAX);
  /** They never change. */
  const versions = lruMap<string, FunnelVersionDoc>(VERSIONS_MAX);

  const versionOf = async (funnelId: string, version: number): Promise<FunnelVersionDoc | null> => {
    const id = `${funnelId}:${version}`;
    const known = versions.get(id);
    if (known) return known;
    const found = await collections.funnelVersions.findOne({ _id: id });
    if (found) versions.set(id, found);
    return found;
  };

  /** As of now: a change of the account counts from the next read. */
  const campaignOf = async ({ org_id, campaign_id, supplier_id }: FunnelDoc) => {
    await accountCache.refresh([org_id]);
    const current = await accountCache.plan(org_id, campaign_id);
    const supplier = current && getOwn(current.plan.suppliers, supplier_id);
    return {
      campaign: {
        fields: current?.plan.fields ?? [],
        isPingPost: current?.plan.routing_method === 'PING_POST',
        timeZone: current?.plan.time_zone ?? 'UTC',
      },
      isOpen: current?.plan.status === 'ACTIVE' && supplier?.status === 'active',
    };
  };

  const published = async (slug: string): Promise<ShownFunnel | null> => {
    const funnel = await collections.funnels.findOne({ slug });
    // Visitors never see the draft of a funnel that was not published.
    if (!funnel || funnel.published_version === null) return null;
    const [found, { campaign, isOpen }] = await Promise.all([
      versionOf(funnel._id, funnel.published_version),
      campaignOf(funnel),
    ]);
    return {
      funnel,
      version: found?.version ?? 0,
      definition: shownAs(found?.definition ?? funnel.definition),
      ...campaign,
      isPreview: false,
      isClosed: funnel.status !== 'published' || !found || !isOpen,
    };
  };

  return {
    /** What is published at an address; null when no funnel has it. At most 0.5 s old. */
    bySlug(slug: string): Promise<ShownFunnel | null> {
      const known = remembered.get(slug);
      const now = clock.monotonic();
      if (known && known.until > now) return known.reading;
      const last = known?.last;
      const reading = published(slug).catch((error: unknown) => {
        if (last) return last;
        throw error;
      });
      const entry: Remembered = { until: now + REMEMBERED_MS, reading, last };
      remembered.set(slug, entry);
      // A failed read rejects for its waiters and is not kept; neither is an unknown address, of which there is no end.
      const forget = () => remembered.delete(slug);
      void reading.then((shown) => {
        if (shown === null) forget();
        else entry.last = shown;
      }, forget);
      return reading;
    },
    /**
     * The same funnel as it was when a visitor began: the texts and questions of that version, with the current campaign.
     * @returns null for a version that never was
     */
    async atVersion(shown: ShownFunnel, version: number): Promise<ShownFunnel | null> {
      if (shown.isPreview || shown.version === version) return shown;
      const found = await versionOf(shown.funnel._id, version);
      return found && { ...shown, version, definition: shownAs(found.definition) };
    },
    /** The current draft, read each time; null for an unknown id. */
    async draft(funnelId: string): Promise<ShownFunnel | null> {
      const funnel = await collections.funnels.findOne({ _id: funnelId });
      if (!funnel) return null;
      const { campaign } = await campaignOf(funnel);
      return {
        funnel,
        version: funnel.draft_version,
        definition: shownAs(funnel.definition),
        ...campaign,
        isPreview: true,
        isClosed: campaign.fields.length === 0,
      };
    },
  };
}
