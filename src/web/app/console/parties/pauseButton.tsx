import { Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { useWrite } from '../../lib/useActions.js';
import { Button, ErrorState, useToast } from '../../ui/index.js';
import type { Side } from './types.js';

interface PauseButtonProps {
  side: Side;
  id: string;
  name: string;
  isPaused: boolean;
}

const EFFECT: Record<Side, { pause: string; resume: string }> = {
  buyer: { pause: 'gets no new leads.', resume: 'gets leads again.' },
  supplier: { pause: 'is paused: its leads are refused.', resume: 'sends leads again.' },
};

/** Pauses or resumes all of a buyer or supplier at once; the message that says so takes it back. */
export function PauseButton({ side, id, name, isPaused }: PauseButtonProps): ReactNode {
  const buyer = useWrite('update_buyer');
  const supplier = useWrite('update_supplier');
  const may = useCan(side === 'buyer' ? 'update_buyer' : 'update_supplier');
  const toast = useToast();
  const write = side === 'buyer' ? buyer : supplier;
  const set = (status: 'active' | 'paused'): Promise<unknown> =>
    side === 'buyer'
      ? buyer.run({ buyer_id: id, status })
      : supplier.run({ supplier_id: id, status });
  const change = async (): Promise<void> => {
    const [next, before] = isPaused
      ? (['active', 'paused'] as const)
      : (['paused', 'active'] as const);
    if (!(await set(next))) return;
    toast(`${name} ${EFFECT[side][isPaused ? 'resume' : 'pause']}`, { undo: () => set(before) });
  };
  if (!may) return null;
  return (
    <>
      <Button isBusy={write.isRunning} onClick={() => void change()}>
        {isPaused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      {write.error && <ErrorState error={write.error} />}
    </>
  );
}
