/** The buyers and suppliers of a campaign, changed together. */
import { z } from 'zod';
import { updateLinks } from '../../../account/links/updateLinks.js';
import { defineAction } from '../action.js';
import { invalidField } from '../readInput.js';
import { id, recordId } from '../schemas/common.js';
import {
  buyersChanged,
  BuyerLinkView,
  EXAMPLE_BUYERS,
  EXAMPLE_SUPPLIERS,
  suppliersChanged,
  SupplierLinkView,
} from '../schemas/links.js';
import { buyerLinkView, supplierLinkView } from '../views.js';
import { expected_version } from './campaigns.js';

export const updateCampaignLinks = defineAction({
  name: 'update_campaign_links',
  cli: ['campaigns', 'update-links'],
  summary: 'Change the terms of several buyers and suppliers of a campaign',
  description:
    'All of it or nothing, in one version of the campaign. Changes only the keys given. null removes a limit. With ' +
    'expected_version the change is refused where others have changed the campaign since; details then name the given ' +
    'values that they changed.',
  idempotent: true,
  permission: 'campaigns:write',
  input: z.strictObject({
    campaign_id: id('campaign'),
    buyers: buyersChanged({}).meta({ description: 'Terms of buyers', examples: [EXAMPLE_BUYERS] }),
    suppliers: suppliersChanged({}).meta({
      description: 'Terms of suppliers',
      examples: [EXAMPLE_SUPPLIERS],
    }),
    expected_version,
  }),
  example: {
    campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
    buyers: EXAMPLE_BUYERS,
    expected_version: 5,
  },
  output: z.object({
    campaign_id: recordId('campaign'),
    version: z.number().int().describe('The version of the campaign now'),
    buyers: z.array(BuyerLinkView).describe('The changed ones'),
    suppliers: z.array(SupplierLinkView).describe('The changed ones'),
  }),
  async run({ campaign_id, expected_version: expected, ...changes }, context) {
    if (!changes.buyers?.length && !changes.suppliers?.length)
      throw invalidField('buyers', 'required', 'buyers or suppliers must have an entry.');
    const { version, buyers, suppliers } = await updateLinks(
      context,
      campaign_id,
      changes,
      expected,
    );
    return {
      campaign_id,
      version,
      buyers: buyers.map(buyerLinkView),
      suppliers: suppliers.map(supplierLinkView),
    };
  },
});
