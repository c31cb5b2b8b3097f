/** Calls in screens: read one result, read page by page, write. */
import {
  useQuery,
  useQueryClient,
  type QueryFunctionContext,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { ApiError, post, type Answer } from './api.js';
import { useSession } from './session.js';

interface Call {
  input: z.ZodType;
  output: z.ZodType;
}

/** The input of a call; the service fills in defaults. */
export type Input<C extends Call> = z.input<C['input']>;
export type Output<C extends Call> = z.output<C['output']>;

export interface ReadOptions {
  /** Reads again while the tab is visible; 15 at least. */
  refreshSeconds?: number;
  /** Does not read yet. */
  isOff?: boolean;
}

export interface Pages<T> {
  /** Of the page that is shown; undefined while the first one is on its way. */
  data: T | undefined;
  error: ApiError | null;
  retry(): void;
  isLoading: boolean;
  /** Counted from 1. */
  page: number;
  /** Null where there is none. */
  next: (() => void) | null;
  previous: (() => void) | null;
}

export interface Write<I, O> {
  /** Null when it was refused; `error` has the reason. */
  run(input: I): Promise<O | null>;
  isRunning: boolean;
  error: ApiError | null;
  /** Forgets the error. */
  reset(): void;
}

interface Hooks<S> {
  /** The data of a call. */
  useCall<N extends keyof S & string>(
    name: N,
    input: Input<S[N] & Call>,
    options?: ReadOptions,
  ): UseQueryResult<Output<S[N] & Call>, ApiError>;
  /** The pages of a call that answers with a cursor. Another input begins at the first page. */
  usePages<N extends keyof S & string>(
    name: N,
    input: Input<S[N] & Call>,
  ): Pages<Output<S[N] & Call>>;
  /** A call that changes something. Data read before is read again after it. */
  useWrite<N extends keyof S & string>(name: N): Write<Input<S[N] & Call>, Output<S[N] & Call>>;
}

const REFRESH_MIN_SECONDS = 15;

/** The hooks of a set of screens, typed by its calls' schemas. */
export const hooksFor = <S>(): Hooks<S> => ({ useCall, usePages, useWrite }) as Hooks<S>;

function useCall(name: string, input: object, options: ReadOptions = {}): UseQueryResult {
  const { api } = useSession();
  const { refreshSeconds, isOff = false } = options;
  return useQuery({
    queryKey: [api, name, input],
    queryFn: async (of) => (await ask(`${api}/${name}`, input, isShown(of))).data,
    // After an error the timer stops, so that a person who canceled signing in is not prompted again.
    refetchInterval: ({ state }) =>
      refreshSeconds === undefined || state.error !== null
        ? false
        : Math.max(refreshSeconds, REFRESH_MIN_SECONDS) * 1000,
    enabled: !isOff,
  });
}

function usePages(name: string, input: object): Pages<unknown> {
  const { api } = useSession();
  const [way, setWay] = useWay(name);
  const of = JSON.stringify(input);
  const cursors = way.of === of ? way.cursors : [];
  const cursor = cursors.at(-1);
  const query = useQuery<Answer, ApiError>({
    queryKey: [api, name, input, cursor ?? null],
    queryFn: (of) =>
      ask(`${api}/${name}`, cursor === undefined ? input : { ...input, cursor }, isShown(of)),
    placeholderData: (before) => before,
  });
  const following = query.isPlaceholderData ? null : query.data?.next_cursor;
  return {
    data: query.data?.data,
    error: query.error,
    retry: () => void query.refetch(),
    isLoading: query.isFetching,
    page: cursors.length + 1,
    next: following ? () => setWay({ of, cursors: [...cursors, following] }) : null,
    previous: cursors.length > 0 ? () => setWay({ of, cursors: cursors.slice(0, -1) }) : null,
  };
}

/** How a list was paged to where it is. */
interface Way {
  /** The input; another one begins at the first page. */
  of: string;
  /** Of the pages after the first. */
  cursors: readonly string[];
}

/** Kept with the entry of the browser's history, so that going back to a list finds its page. */
function useWay(name: string): [Way, (way: Way) => void] {
  const [way, setWay] = useState<Way>(() => waysHere().get(name) ?? { of: '', cursors: [] });
  return [
    way,
    (next) => {
      setWay(next);
      history.replaceState({ ways: new Map([...waysHere(), [name, next]]) }, '');
    },
  ];
}

/** By the name of the call. */
const waysHere = (): ReadonlyMap<string, Way> =>
  (history.state as { ways?: Map<string, Way> } | null)?.ways ?? new Map();

const IDLE: Pick<Write<object, unknown>, 'isRunning' | 'error'> = { isRunning: false, error: null };

function useWrite(name: string): Write<object, unknown> {
  const { api } = useSession();
  const queries = useQueryClient();
  const [state, setState] = useState(IDLE);
  const readAgain = () => void queries.invalidateQueries({ queryKey: [api] });
  return {
    ...state,
    reset: () => setState(IDLE),
    async run(input) {
      setState({ isRunning: true, error: null });
      try {
        const { data } = await ask(`${api}/${name}`, input);
        setState(IDLE);
        readAgain();
        return data;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setState({ isRunning: false, error });
        // Another person may have changed what is shown. Without a session nothing can be read.
        if (error.status !== 401) readAgain();
        return null;
      }
    },
  };
}

const ask = async (path: string, input: object, isRefresh = false): Promise<Answer> =>
  (await post(path, input, isRefresh)) as Answer;

/** Whether the page shows what the query reads. */
const isShown = ({
  client,
  queryKey,
}: Pick<QueryFunctionContext, 'client' | 'queryKey'>): boolean =>
  client.getQueryData(queryKey) !== undefined;
