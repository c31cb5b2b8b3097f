/** `leadwire operator key-limits`: how often a key of the Actions API may call. */
import { limitsOf, setKeyLimits } from '../../src/account/keys/keyLimits.js';
import { findOrgKey } from '../../src/account/keys/keys.js';
import { recordedAsOperator } from '../../src/api/operator/record.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { asOperator } from '../stack/installation.js';
import type { Terminal } from '../terminal/terminal.js';

export interface KeyLimitsOptions {
  org: string;
  key: string;
  calls?: number;
  writes?: number;
  default?: true;
  /** The operator, for the audit log. */
  by?: string;
  json?: true;
}

/** Shows the limits, after setting those that are given. */
export async function keyLimits(
  terminal: Terminal,
  { org, key, calls, writes, default: isDefault, by, json }: KeyLimitsOptions,
): Promise<ExitCode> {
  const changes = {
    ...(calls === undefined ? {} : { calls_per_minute: calls }),
    ...(writes === undefined ? {} : { writes_per_minute: writes }),
  };
  const isChange = Object.keys(changes).length > 0;
  if (isDefault && isChange)
    throw new UsageError('--default cannot be combined: it resets both limits.');
  const limits = await asOperator(terminal.environment, by, async (context) => {
    const account = { collections: context.collections, orgId: org };
    const found = await findOrgKey(account, key);
    if (!isDefault && !isChange) return limitsOf(found);
    const wanted = isDefault ? null : changes;
    const input = { key_id: key, ...(wanted ?? { default: true }) };
    return recordedAsOperator(context, { name: 'set_key_limits', orgId: org, input }, () =>
      setKeyLimits(account, key, wanted),
    );
  });
  const { calls_per_minute, writes_per_minute } = limits;
  terminal.print(
    json
      ? JSON.stringify({ key_id: key, ...limits }, null, 2)
      : `Key ${key}: ${calls_per_minute} calls a minute, ${writes_per_minute} of them writes.`,
  );
  return EXIT.done;
}
