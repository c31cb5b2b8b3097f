/** Shown in the place of data: none yet, loading, or refused. */
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.js';
import { Button } from './button.js';

interface EmptyStateProps {
  title: string;
  /** How to get data here. */
  children?: ReactNode;
}

export function EmptyState({ title, children }: EmptyStateProps): ReactNode {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children !== undefined && <div className="muted">{children}</div>}
    </div>
  );
}

/** `retry` requests the data again; absent: the person can do nothing about it here. */
export function ErrorState({ error, retry }: { error: Error; retry?: () => void }): ReactNode {
  return (
    <div className="state bad" role="alert">
      <p className="state-title">{error.message}</p>
      <SupportId error={error} />
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** The id of the refused request, where it has arrived. */
export function SupportId({ error }: { error: Error }): ReactNode {
  const requestId = error instanceof ApiError ? error.requestId : '';
  if (requestId === '') return null;
  return (
    <p className="muted">
      Request ID: <code>{requestId}</code>
    </p>
  );
}

/** Gray lines while data loads. */
export function Skeleton({ lines = 4 }: { lines?: number }): ReactNode {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">Loading…</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="skeleton-line" />
      ))}
    </div>
  );
}

interface LoadedProps<T> {
  /** A query: its data, else its error, else a skeleton is shown. */
  of: { data: T | undefined; error: Error | null; refetch?: () => unknown; retry?: () => void };
  children: (data: T) => ReactNode;
}

/** Shows data once it is there, and keeps it, with what was typed next to it, when it cannot be read again. */
export function Loaded<T>({ of, children }: LoadedProps<T>): ReactNode {
  const { data, error, refetch, retry = () => void refetch?.() } = of;
  if (data === undefined) return error ? <ErrorState error={error} retry={retry} /> : <Skeleton />;
  return (
    <>
      {error && <ErrorState error={error} retry={retry} />}
      {children(data)}
    </>
  );
}
