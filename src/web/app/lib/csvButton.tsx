import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, useToast } from '../ui/index.js';
import { ApiError, postForFile } from './api.js';
import { useSession } from './session.js';
import type { ActionName, InputOf } from './useActions.js';

interface CsvButtonProps<N extends ActionName> {
  /** An action that has a file. */
  action: N;
  input: InputOf<N>;
}

/** Saves every row of an action as a CSV file. */
export function CsvButton<N extends ActionName>({ action, input }: CsvButtonProps<N>): ReactNode {
  const { api } = useSession();
  const toast = useToast();
  const [isRunning, setIsRunning] = useState(false);
  const download = async (): Promise<void> => {
    setIsRunning(true);
    try {
      save(await postForFile(`${api}/${action}`, input), `${action}.csv`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message, { tone: 'bad' });
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <Button isBusy={isRunning} onClick={() => void download()}>
      <Download size={16} aria-hidden /> Download CSV
    </Button>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
