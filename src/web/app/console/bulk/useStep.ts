/** One of many calls of a command: what is shown is read again once, at its end, and not after each. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, post, type Answer } from '../../lib/api.js';
import { useSession } from '../../lib/session.js';
import type { ActionName, InputOf, OutputOf } from '../../lib/useActions.js';

/** An action that a command calls again and again. */
export interface Step<N extends ActionName> {
  /** Resolves with null when it was refused; `error` has the reason. */
  run(input: InputOf<N>): Promise<OutputOf<N> | null>;
  error: ApiError | null;
}

export function useStep<N extends ActionName>(name: N): Step<N> {
  const { api } = useSession();
  const [error, setError] = useState<ApiError | null>(null);
  return {
    error,
    async run(input) {
      setError(null);
      try {
        const { data } = (await post(`${api}/${name}`, input)) as Answer;
        return data as OutputOf<N>;
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        setError(thrown);
        return null;
      }
    },
  };
}

/** Reads again what screens show. */
export function useReadAgain(): () => void {
  const { api } = useSession();
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: [api] });
}
