/** The messages between the script of a funnel's page and the service, and those of a host page's script. */
import type { FunnelResult, PageFault } from './types.js';

/** The answer to a submit whose `Accept` names `application/json` first. */
export type SubmitReply =
  | ({ outcome: FunnelResult['kind'] } & ShownResult)
  | { outcome: 'faulty'; faults: PageFault[] }
  /**
   * No lead was created, and the answers may be sent again: with the same token, or with this one if there is one.
   * `work`: with a proof of work, which the script requests at once.
   */
  | { outcome: 'unavailable' | 'too_many' | 'expired' | 'work'; token?: string }
  | { outcome: 'wait'; seconds: number };

/** The end of a visit: a page, or an address that the visitor is sent to instead. */
export interface ShownResult {
  title: string;
  text: string | null;
  redirect_url: string | null;
}

/** What a browser reports as `text/plain` JSON; each event at most once for a step of a visit. */
export interface CountMessage {
  /** The token of the page. */
  t: string;
  /** start: the visitor did something for the first time; done: completed the step, or submitted it. */
  event: 'start' | 'shown' | 'done';
  step: string;
  /** As in the form, for the source of the counts. */
  utm_source?: string;
  referrer?: string;
}

/** The content of `w`, as base64 of JSON: as altcha-lib's `Payload`. */
export interface ProofOfWork {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: { counter: number; derivedKey: string; time: number };
}

/** Query parameters by which a host page's script reports the frame's place, in addition to utm_… and click ids. */
export const EMBED_QUERY = {
  /** The address of the host page, without its fragment. */
  page: 'lw_page',
  /** Where the host page's visitor came from. */
  referrer: 'lw_ref',
} as const;

export { SOURCE_PARAMETERS, SOURCE_TEXT_MAX } from '../../funnels/rules/sources.js';
export { readTypedNumber } from '../../funnels/rules/typedNumber.js';

/**
 * What a page in a frame posts to the host page. Only hosts that the funnel names can frame it, and no message contains
 * data of the visitor.
 */
export type FrameMessage =
  | { leadwire: 'height'; /** CSS pixels. */ height: number; /** Names the frame. */ title: string }
  | { leadwire: 'step'; step: string }
  | { leadwire: 'submitted'; outcome: FunnelResult['kind'] };
