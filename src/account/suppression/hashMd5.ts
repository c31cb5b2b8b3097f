import { createHash } from 'node:crypto';

/** MD5 as suppression lists are exchanged (contract 4.9): lower-case hex. It protects nothing. */
export const hashMd5 = (text: string): string => createHash('md5').update(text).digest('hex');
