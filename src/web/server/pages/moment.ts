/** Times as pages show them. */

export interface Moment {
  iso: string;
  text: string;
}

/** Pages run no script that could know the reader's zone: times are in UTC, and say so. */
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

export const momentOf = (time: Date): Moment => ({
  iso: time.toISOString(),
  text: `${FORMAT.format(time)} UTC`,
});
