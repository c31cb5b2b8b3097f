/** Which leads pass the filters of a campaign, in words. */
import type { ReactNode } from 'react';
import { filterTree, JOIN_WORDS, type FilterPart } from '../../lib/filterWords.js';
import { Written } from '../../ui/index.js';

/** @param of as actions have it */
export function Filters({ of }: { of: unknown }): ReactNode {
  const tree = filterTree(of);
  if (!tree) return <p className="muted">None: every lead passes.</p>;
  return (
    <ul className="filter-tree">
      <Part of={tree} />
    </ul>
  );
}

function Part({ of }: { of: FilterPart }): ReactNode {
  if ('rule' in of)
    return (
      <li>
        <Written>{of.rule}</Written>
      </li>
    );
  return (
    <li>
      {JOIN_WORDS[of.join]}
      <ul>
        {of.parts.map((part, n) => (
          // The parts of a filter have no names, and do not move.
          <Part key={n} of={part} />
        ))}
      </ul>
    </li>
  );
}
