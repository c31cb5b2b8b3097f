import type { ReactNode } from 'react';
import { Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import { formText } from '../../lib/formValues.js';
import { useFilters } from '../../lib/route.js';
import { SETTINGS } from '../../lib/settings.js';
import { useWrite } from '../../lib/useActions.js';
import { Button, Dialog, Field, Form, Select, useToast } from '../../ui/index.js';
import { optionText } from './words.js';

type Method = 'routing_method' | 'distribution_method';

const termOf = (name: Method | 'vertical') => SETTINGS.campaign.find((term) => term.name === name);

/** Creates a campaign with a name and its two methods; everything else is set on its pages. */
export function CreateButton(): ReactNode {
  const [{ new: isNew }, change] = useFilters(['new']);
  const isOpen = isNew !== undefined;
  const setIsOpen = (isWanted: boolean): void => change({ new: isWanted ? '1' : undefined });
  const create = useWrite('create_campaign');
  const toast = useToast();
  const [, goTo] = useLocation();
  const close = (): void => {
    create.reset();
    setIsOpen(false);
  };
  const send = async (values: FormData): Promise<void> => {
    const done = await create.run({
      name: formText(values, 'name'),
      vertical: formText(values, 'vertical') || null,
      routing_method: formText(values, 'routing_method') as 'DIRECT_POST',
      distribution_method: formText(values, 'distribution_method') as 'WATERFALL',
    });
    if (!done) return;
    toast(`${done.name} was made, paused. Add a supplier and a buyer, then resume it.`);
    goTo(`/campaigns/${done.id}`);
  };
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        <Plus size={16} aria-hidden /> New campaign
      </Button>
      <Dialog title="New campaign" isOpen={isOpen} onClose={close}>
        <p>It is paused until it has a supplier and a buyer, and you resume it.</p>
        <Form write={create} submit="Create campaign" onSubmit={send}>
          <Field label="Name" name="name" required maxLength={120} />
          <Field
            label={termOf('vertical')?.label ?? ''}
            name="vertical"
            hint="The topic of its leads, such as “Auto insurance”"
            maxLength={termOf('vertical')?.maxLength}
          />
          <MethodField name="routing_method" />
          <MethodField name="distribution_method" />
        </Form>
      </Dialog>
    </>
  );
}

function MethodField({ name }: { name: Method }): ReactNode {
  const term = termOf(name);
  if (!term) return null;
  return (
    <Select
      label={term.label}
      name={name}
      hint={term.about}
      defaultValue={String(term.default)}
      options={(term.options ?? []).map((value) => ({ value, label: optionText(value) }))}
    />
  );
}
