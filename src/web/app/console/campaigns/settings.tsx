/** The settings of a campaign: as facts, and as a form made of the settings table. */
import { useState, type ReactNode } from 'react';
import { Pencil } from 'lucide-react';
import type { Term } from '../../lib/settings.js';
import { useCan } from '../../lib/session.js';
import { Button, Facts, Section, type Fact } from '../../ui/index.js';
import type { Campaign } from './frame.js';
import { Filters } from './filters.js';
import { SettingsDialog } from './settingsDialog.js';
import { SettingValue } from './settingValue.js';
import { TERMS, valueOf } from './terms.js';

export function CampaignSettings({ campaign }: { campaign: Campaign }): ReactNode {
  const canChange = useCan('update_campaign');
  const [isEditing, setIsEditing] = useState(false);
  const { limits = [], others = [] } = Object.groupBy(TERMS, ({ isLimit }) =>
    isLimit ? 'limits' : 'others',
  );
  const factOf = (term: Term): Fact => [
    term.label,
    <SettingValue term={term} value={valueOf(campaign, term)} />,
  ];
  const set = limits.filter((term) => valueOf(campaign, term) !== null);
  return (
    <Section
      title="Settings"
      actions={
        canChange && (
          <Button onClick={() => setIsEditing(true)}>
            <Pencil size={16} aria-hidden /> Edit settings
          </Button>
        )
      }
    >
      <div className="campaign-settings">
        <div className="card">
          <Facts facts={others.map(factOf)} />
        </div>
        <div className="card">
          <h3>Caps and budgets</h3>
          {set.length > 0 ? (
            <Facts facts={set.map(factOf)} />
          ) : (
            <p className="muted">
              None of its own. Buyers and suppliers have theirs in their tabs.
            </p>
          )}
          <h3>Filters</h3>
          <Filters of={campaign.filters} />
        </div>
      </div>
      {canChange && (
        <SettingsDialog
          campaign={campaign}
          isOpen={isEditing}
          onClose={() => setIsEditing(false)}
        />
      )}
    </Section>
  );
}
