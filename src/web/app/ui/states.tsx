/** Shown in the place of data: none yet, loading, or refused. */
import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.js';
import { Button } from './button.js';

interface EmptyStateProps {
  title: string;
  icon?: LucideIcon;
  /** How to get data here. */
  children?: ReactNode;
}

export function EmptyState({ title, icon: Icon = Inbox, children }: EmptyStateProps): ReactNode {
  return (
    <div className="state">
      <Icon size={28} strokeWidth={1.5} aria-hidden />
      <p className="state-title">{title}</p>
      {children !== undefined && <div className="muted">{children}</div>}
    </div>
  );
}

/** `retry` requests the data again; absent: the person can do nothing about it here. */
export function ErrorState({ error, retry }: { error: Error; retry?: () => void }): ReactNode {
  if (error instanceof ApiError && error.isGone) return <GoneState error={error} />;
  return (
    <div className="state bad" role="alert">
      <p className="state-title">{error.message}</p>
      <SupportId error={error} />
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Old views and links may name it. Asking again finds no more. */
function GoneState({ error }: { error: ApiError }): ReactNode {
  return (
    <div className="state" role="alert">
      <p className="state-title">
        <bdi>{error.message}</bdi>
      </p>
      <p className="muted">It was deleted, or the link to it is wrong.</p>
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

interface SkeletonProps {
  lines?: number;
  /** The shape of what loads. */
  kind?: 'lines' | 'table' | 'tiles' | 'chart' | 'cards';
}

/** Gray shapes while data loads, as large as what will be there. */
export function Skeleton({ kind = 'lines', lines = LINES[kind] }: SkeletonProps): ReactNode {
  return (
    <div className={`skeleton skeleton-${kind}`} role="status">
      <span className="hidden">Loading…</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="skeleton-line" />
      ))}
    </div>
  );
}

const LINES = { lines: 4, table: 10, tiles: 5, chart: 1, cards: 4 };

interface LoadedProps<T> {
  /** A query: its data, else its error, else a skeleton is shown. */
  of: { data: T | undefined; error: Error | null; refetch?: () => unknown; retry?: () => void };
  /** The shape of what loads. */
  shape?: SkeletonProps['kind'];
  children: (data: T) => ReactNode;
}

/** Shows data once it is there, and keeps it, with what was typed next to it, when it cannot be read again. */
export function Loaded<T>({ of, shape, children }: LoadedProps<T>): ReactNode {
  const { data, error, refetch, retry = () => void refetch?.() } = of;
  if (data === undefined) {
    return error ? <ErrorState error={error} retry={retry} /> : <Skeleton kind={shape} />;
  }
  return (
    <>
      {error && <ErrorState error={error} retry={retry} />}
      {children(data)}
    </>
  );
}
