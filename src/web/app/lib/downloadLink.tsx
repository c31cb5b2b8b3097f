/** A link to the same list as a CSV file, where the operator allows exports. */
import type { ReactNode } from 'react';
import { useCan, useSession } from './session.js';

interface DownloadProps {
  file: 'leads.csv' | 'posts.csv' | 'payout.csv';
  label?: string;
  /** The filters of the list; undefined ones are left out. */
  input: Readonly<Record<string, string | number | boolean | undefined>>;
}

export function DownloadLink({ file, label = 'Download CSV', input }: DownloadProps): ReactNode {
  const { api } = useSession();
  const canDownload = useCan(file);
  if (!canDownload) return null;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined) query.set(name, String(value));
  const address = `${api}/files/${file}`;
  return (
    <a
      className="button secondary"
      href={query.size > 0 ? `${address}?${query.toString()}` : address}
      download
    >
      {label}
    </a>
  );
}
