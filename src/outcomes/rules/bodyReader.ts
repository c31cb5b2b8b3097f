/** Reads single values of a body that is not a lead: text, scalars and money, each with its fault. */
import type { FieldError, FieldErrorCode } from '../../lib/errors.js';
import { isBlank, isCleanText } from '../../fields/fields.js';
import { longDigits } from '../../lib/longNumbers.js';
import type { Scalar } from '../../fields/values.js';
import { type Micros, MONEY_MAX, readMicros } from '../../fields/money.js';
import { getOwn } from '../../lib/getOwn.js';
import { visibleText, withoutInvisible } from '../../lib/invisible.js';

/** Maximum length of a value, as for the value of a field. */
export const VALUE_MAX = 10_000;

/** Reads values by their key and collects their faults. */
export class BodyReader {
  readonly errors: FieldError[] = [];

  constructor(
    private readonly body: Record<string, unknown>,
    private readonly isForm: boolean,
  ) {}

  fault(field: string, code: FieldErrorCode, message: string): void {
    this.errors.push({ field, code, message });
  }

  /** Whether there is any value under the key, valid or not. */
  has(name: string): boolean {
    const value = getOwn(this.body, name);
    return value != null && !this.isBlank(name);
  }

  /** Whether the value under the key is empty text, or blanks. */
  isBlank(name: string): boolean {
    const value = getOwn(this.body, name);
    return typeof value === 'string' && isBlank(value);
  }

  /** Text without outer blanks; a number becomes its digits. */
  text(name: string, most: number): string | undefined {
    const value = this.scalar(name, most);
    if (typeof value === 'boolean') {
      this.fault(name, 'invalid_type', `${name} must be text`);
      return undefined;
    }
    return value === undefined ? undefined : String(value).trim();
  }

  scalar(name: string, most = VALUE_MAX): Scalar | undefined {
    if (!this.has(name)) return undefined;
    const value = getOwn(this.body, name);
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value !== 'string') {
      this.fault(name, 'invalid_type', `${name} must be text`);
      return undefined;
    }
    const text = withoutInvisible(value);
    if (text.trim().length > most) {
      this.fault(name, 'too_long', `${name} must be at most ${most} characters`);
      return undefined;
    }
    if (!isCleanText(text)) {
      const message = `${name} must be text without NUL or broken characters`;
      this.fault(name, 'invalid_format', message);
      return undefined;
    }
    return text;
  }

  /** In micro-units. JSON has numbers; only a form writes them as text. */
  money(name: string): Micros | undefined {
    if (!this.has(name)) return undefined;
    const amount = this.number(getOwn(this.body, name));
    const rule = `${name} must be a number from 0 to ${MONEY_MAX.outcome} with at most 4 decimals, such as 12.5`;
    if (amount === undefined) {
      this.fault(name, 'invalid_type', this.isForm ? rule : `${rule}, not text`);
      return undefined;
    }
    const micros = readMicros(amount, MONEY_MAX.outcome);
    if (micros === null) this.fault(name, 'out_of_range', rule);
    return micros ?? undefined;
  }

  private number(value: unknown): number | undefined {
    if (typeof value === 'number') return value;
    // A number of many digits has come as text, and is too much money.
    if (typeof value === 'string' && longDigits(value) !== null) return Number(value);
    if (!this.isForm || typeof value !== 'string') return undefined;
    const text = visibleText(value);
    return DECIMAL.test(text) ? Number(text) : undefined;
  }
}

const DECIMAL = /^[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})$/;
