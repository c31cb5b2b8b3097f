import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, useToast } from '../ui/index.js';
import { ApiError, postForFile } from './api.js';
import { useSession } from './session.js';
import type { ActionName, InputOf } from './useActions.js';
import type { Write } from './useCalls.js';

interface CsvButtonProps<N extends ActionName> {
  /** An action that has a file. */
  action: N;
  input: InputOf<N>;
}

/** Saves every row of an action as a CSV file. */
export function CsvButton<N extends ActionName>({ action, input }: CsvButtonProps<N>): ReactNode {
  const toast = useToast();
  const file = useCsv(action, (error) => toast(error.message, { tone: 'bad' }));
  return (
    <Button isBusy={file.isRunning} onClick={() => void file.run(input)}>
      <Download size={16} aria-hidden /> Download CSV
    </Button>
  );
}

/** The file of an action, saved as a call is made: null where the service refused it. */
export function useCsv<N extends ActionName>(
  action: N,
  onRefused?: (error: ApiError) => void,
): Write<InputOf<N>, true> {
  const { api } = useSession();
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const run = async (input: InputOf<N>): Promise<true | null> => {
    setIsRunning(true);
    setError(null);
    try {
      save(await postForFile(`${api}/${action}`, input), `${action}.csv`);
      return true;
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal;
      setError(refusal);
      onRefused?.(refusal);
      return null;
    } finally {
      setIsRunning(false);
    }
  };
  return { run, isRunning, error, reset: () => setError(null) };
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
