import type { ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useWrite } from '../../lib/useActions.js';
import { Checkbox, Dialog, Field, Form, useToast } from '../../ui/index.js';

interface CopyDialogProps {
  campaign: { id: string; name: string };
  isOpen: boolean;
  onClose(): void;
  onDone(id: string): void;
}

/** A new campaign with the settings of another. */
export function CopyDialog({ campaign, isOpen, onClose, onDone }: CopyDialogProps): ReactNode {
  const copy = useWrite('copy_campaign');
  const toast = useToast();
  const close = (): void => {
    copy.reset();
    onClose();
  };
  const send = async (values: FormData): Promise<void> => {
    const done = await copy.run({
      campaign_id: campaign.id,
      name: formText(values, 'name'),
      buyers: values.has('buyers'),
      suppliers: values.has('suppliers'),
    });
    if (!done) return;
    const left = done.left_out.length;
    toast(`${done.name} was made, paused.${left > 0 ? ` Without ${left} archived buyers.` : ''}`);
    onClose();
    onDone(done.id);
  };
  return (
    <Dialog title={`Copy ${campaign.name}`} isOpen={isOpen} onClose={close}>
      <p>
        The copy has the same settings, fields, filters and limits, and is paused. Leads, counts and
        history stay here.
      </p>
      <Form write={copy} submit="Copy campaign" onSubmit={send}>
        <Field
          label="Name"
          name="name"
          required
          maxLength={120}
          defaultValue={`${campaign.name} (copy)`.slice(0, 120)}
        />
        <Checkbox label="With its buyers, on the same terms" name="buyers" defaultChecked />
        <Checkbox label="With its suppliers, on the same terms" name="suppliers" defaultChecked />
      </Form>
    </Dialog>
  );
}
