/** What the script of a funnel's page and the service say to each other, and what the script of a host page adds. */
import type { FunnelResult, PageFault } from './types.js';

/** The answer to a submit whose `Accept` names `application/json` first. */
export type SubmitReply =
  | ({ outcome: FunnelResult['kind'] } & ShownResult)
  | { outcome: 'faulty'; faults: PageFault[] }
  /**
   * No lead was made, and the answers may be sent again: with the same token, or with this one where there is one.
   * `work`: with a proof of work, for which the script asks at once.
   */
  | { outcome: 'unavailable' | 'too_many' | 'expired' | 'work'; token?: string }
  | { outcome: 'wait'; seconds: number };

/** The end of a visit: a page, or an address that the visitor is led to in its place. */
export interface ShownResult {
  title: string;
  text: string | null;
  redirect_url: string | null;
}

/** What a browser tells as `text/plain` JSON; each of them at most once for a step of a visit. */
export interface CountMessage {
  /** The token of the page. */
  t: string;
  /** start: the visitor did something for the first time; done: went on from the step, or submitted it. */
  event: 'start' | 'shown' | 'done';
  step: string;
  /** As in the form, for the source that it is counted under. */
  utm_source?: string;
  referrer?: string;
}

/** What `w` holds, as base64 of JSON: as altcha-lib's `Payload`. */
export interface ProofOfWork {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: { counter: number; derivedKey: string; time: number };
}

/** Parameters of the query by which a host page's script says where the frame stands, beside utm_… and click ids. */
export const EMBED_QUERY = {
  /** The address of the host page, without its fragment. */
  page: 'lw_page',
  /** Where the host page's visitor came from. */
  referrer: 'lw_ref',
} as const;

export { SOURCE_PARAMETERS, SOURCE_TEXT_MAX } from '../../funnels/rules/sources.js';

/**
 * What a page in a frame posts to the host page. Only hosts that the funnel names can frame it, and nothing in it is of the
 * visitor.
 */
export type FrameMessage =
  | { leadwire: 'height'; /** CSS pixels. */ height: number; /** Names the frame. */ title: string }
  | { leadwire: 'step'; step: string }
  | { leadwire: 'submitted'; outcome: FunnelResult['kind'] };
