/** Reads a compose file as Docker Compose does: merged keys, and variables with their defaults. */
import { parse } from 'yaml';

export interface ComposeService {
  image?: string;
  build?: string;
  user?: string;
  restart?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  /** `service:NAME` shares the network of another. */
  network_mode?: string;
  secrets?: string[];
  tmpfs?: string[];
  configs?: { source: string; target: string }[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
  init?: boolean;
  stop_grace_period?: string;
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes?: Record<string, unknown>;
  networks?: Record<string, { internal?: boolean } | null>;
  configs?: Record<string, { content: string }>;
  secrets?: Record<string, { file: string }>;
}

/** Where containers have their secrets. */
export const SECRETS = '/run/secrets/';

export const parseCompose = (text: string): ComposeFile =>
  parse(text, { merge: true }) as ComposeFile;

/**
 * A value with its variables filled in: `${NAME}`, `${NAME:-default}`, `${NAME:?message}`; `$$` is a dollar.
 * @throws {Error} for a required variable that is not set, as Compose does
 */
export function interpolate(text: string, variables: Record<string, string>): string {
  return text.replace(
    /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (whole: string, name?: string, kind?: string, rest: string = '') => {
      if (whole === '$$' || name === undefined) return '$';
      const value = variables[name] ?? '';
      if (value !== '') return value;
      if (kind === '?') throw new Error(`The variable ${name} is required: ${rest}`);
      return kind === '-' ? rest : '';
    },
  );
}
