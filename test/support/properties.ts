import fc from 'fast-check';

/** Examples per property in `npm test`; `npm run test:properties` asks for more. */
const RUNS = 100;

/**
 * Sets how many examples each property is tried with: those of `PROPERTY_RUNS`, or 100. A property with a `numRuns` of its
 * own keeps it: its examples are expensive, or counted. A failure names the seed, and `fc.assert(property, { seed, path })`
 * repeats it.
 */
export function configureProperties(): void {
  const asked = Number(process.env.PROPERTY_RUNS ?? RUNS);
  if (!Number.isInteger(asked) || asked < 1)
    throw new Error('PROPERTY_RUNS must be a whole number from 1 on.');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: asked });
}
