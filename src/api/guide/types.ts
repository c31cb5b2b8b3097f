/** A guide, as it is shown, and its parts. */
import type { z } from 'zod';
import type { GuideView } from '../actions/schemas/guide.js';

export type Guide = z.input<typeof GuideView>;
export type GuideField = Guide['fields'][number];
export type PingGuide = NonNullable<Guide['ping']>;
export type SampleAnswer = Guide['answers'][number];
/** One request, in the languages that suppliers' systems are written in. */
export type Code = Guide['code']['lead'];
