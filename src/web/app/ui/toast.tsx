/** Short messages about completed acts. */
import { createContext, use, useCallback, useRef, useState, type ReactNode } from 'react';
import { Button } from './button.js';

interface Toast {
  id: number;
  text: string;
}

type ShowToast = (text: string) => void;

const ToastContext = createContext<ShowToast>(() => undefined);

const SHOWN_MS = 8_000;
const SHOWN_MAX = 3;

/** Shows a message for some seconds, and has it read aloud. Never the only place of an error. */
export const useToast = (): ShowToast => use(ToastContext);

export function Toasts({ children }: { children: ReactNode }): ReactNode {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const last = useRef(0);
  const remove = (id: number): void => setToasts((shown) => shown.filter((one) => one.id !== id));
  const show = useCallback<ShowToast>((text) => {
    const id = ++last.current;
    setToasts((shown) => [...shown, { id, text }].slice(-SHOWN_MAX));
    setTimeout(() => remove(id), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text }) => (
          <div key={id} className="toast">
            <p>{text}</p>
            <Button kind="quiet" aria-label="Dismiss" onClick={() => remove(id)}>
              ✕
            </Button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
