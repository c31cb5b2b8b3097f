/** Saved views: filters of a list or a report, kept under a name by a person or for all. */
import { z } from 'zod';
import {
  dropView,
  findSavedView,
  findSavedViews,
  keepView,
  VIEWS_MAX,
  type SavedViewDoc,
} from '../../../account/store/savedViews.js';
import { AppError } from '../../../lib/errors.js';
import { visibleText } from '../../../lib/invisible.js';
import { defineAction, type ActionContext } from '../action.js';
import { invalidField } from '../readInput.js';
import { Instant, id, recordId, recordName } from '../schemas/common.js';

/** The screens whose filters can be kept, as their addresses are called. */
const SCREENS = [
  ...(['leads', 'queues', 'returns', 'pings', 'campaigns', 'buyers'] as const),
  ...(['suppliers', 'reports', 'audit', 'funnels', 'requests'] as const),
] as const;

const Screen = z.enum(SCREENS).describe('The list or report');
const QUERY_MAX = 2_000;
const NAME_MAX = 80;

const SavedView = z.object({
  id: recordId('view'),
  screen: Screen,
  name: recordName('view'),
  query: z.string().describe("As the screen's address has it"),
  is_shared: z.boolean().describe('Everyone in the organization sees it'),
  is_own: z.boolean().describe('The caller keeps it'),
  owner_name: z.string().describe('Who keeps it'),
  updated_at: Instant.describe('When it was last saved, UTC'),
});

export const getSavedViews = defineAction({
  name: 'get_saved_views',
  cli: ['views', 'list'],
  summary: 'List saved views',
  description: "The filters kept for a screen: the caller's own, and those that others share.",
  permission: 'leads:read',
  input: z.strictObject({ screen: Screen }),
  example: { screen: 'leads' },
  output: z.array(SavedView).describe('By name'),
  async run({ screen }, context) {
    const found = await findSavedViews(context.collections.savedViews, whose(context), screen);
    return found.map((view) => viewOf(view, context));
  },
});

export const saveView = defineAction({
  name: 'save_view',
  cli: ['views', 'save'],
  summary: 'Save a view',
  description:
    "Keeps filters under a name, in place of the caller's view of that name on that screen. To share one needs " +
    'leads:write.',
  permission: 'leads:read',
  effect: 'write',
  idempotent: true,
  alsoNeeds: {
    permission: 'leads:write',
    when: 'is_shared is true',
    subject: 'is_shared',
    isFor: ({ is_shared }) => is_shared,
  },
  // A filter may name a person: a phone, an email.
  hides: ['query'],
  input: z.strictObject({
    screen: Screen,
    name: z.string().min(1).max(NAME_MAX).describe('Of the view'),
    query: z
      .string()
      .max(QUERY_MAX)
      .describe("As the screen's address has it, such as status=REJECTED&days=7d"),
    is_shared: z
      .boolean()
      .default(false)
      .describe('Show it to everyone in the organization; not with a search for a person'),
  }),
  example: { screen: 'leads', name: 'Rejected this week', query: 'status=REJECTED&days=7d' },
  output: SavedView,
  async run({ screen, name: given, query, is_shared }, context) {
    const { collections, orgId: org_id, caller, clock } = context;
    const name = visibleText(given);
    if (name === '') throw invalidField('name', 'required', 'name must not be blank.');
    if (is_shared && namesPerson(screen, query))
      throw invalidField(
        'is_shared',
        'not_allowed',
        'is_shared must be false for a search for a person: not everyone in the organization sees people.',
      );
    const { kind, id: ownerId, name: ownerName } = caller.actor;
    const owner = { kind, id: ownerId, name: ownerName };
    const view = { org_id, screen, name, query, owner, is_shared };
    const kept = await keepView(collections.savedViews, view, clock.now());
    if (kept) return viewOf(kept, context);
    throw new AppError(
      'action_refused',
      `You keep ${VIEWS_MAX} views already, which is the most. Delete one that you do not use.`,
    );
  },
});

export const deleteSavedView = defineAction({
  name: 'delete_saved_view',
  cli: ['views', 'delete'],
  summary: 'Delete a saved view',
  description: "Deletes a view of the caller's own, or a shared one.",
  permission: 'leads:read',
  effect: 'write',
  idempotent: true,
  alsoNeeds: { permission: 'settings:write', when: 'another keeps the view' },
  input: z.strictObject({ view_id: id('view') }),
  example: { view_id: '8a1f6c3e-2b7d-4e5a-9c40-1d2e3f405162' },
  output: z.object({ id: recordId('view') }),
  async run({ view_id }, context) {
    const { collections } = context;
    const found = await findSavedView(collections.savedViews, whose(context), view_id);
    if (!found) throw new AppError('not_found', `There is no saved view ${view_id}.`);
    if (!isOwn(found, context) && !context.holdsFurther)
      throw new AppError(
        'forbidden',
        `${found.owner.name} keeps this view. To delete it needs the permission settings:write.`,
        { required: 'settings:write' },
      );
    await dropView(collections.savedViews, found);
    return { id: found._id };
  },
});

/** What a screen of leads is searched by: a phone, an email, a click id or a name. */
const OF_PERSON = ['search', 'phone', 'email', 'click_id'] as const;

function namesPerson(screen: (typeof SCREENS)[number], query: string): boolean {
  const params = new URLSearchParams(query);
  return screen === 'leads' && OF_PERSON.some((key) => params.getAll(key).some(Boolean));
}

const whose = ({ orgId, caller }: ActionContext) => ({ org_id: orgId, owner_id: caller.actor.id });

const isOwn = ({ owner }: SavedViewDoc, { caller }: ActionContext): boolean =>
  owner.id === caller.actor.id;

const viewOf = (view: SavedViewDoc, context: ActionContext) => ({
  ...view,
  id: view._id,
  screen: view.screen as (typeof SCREENS)[number],
  is_own: isOwn(view, context),
  owner_name: view.owner.name,
});
