/** How many feeds may be open at once: each keeps a connection and a little memory. */
import { AppError } from '../../lib/errors.js';

/** Of one session, or one key: the tabs of a person. */
const OF_ONE = 6;
const OF_ORGANIZATION = 40;
const OF_PROCESS = 400;
const RETRY_SECONDS = 10;

interface Place {
  org_id: string;
  /** The session or the key. */
  whose: string;
}

export function createPlaces() {
  const open = new Set<Place>();
  const count = (isIt: (place: Place) => boolean): number => [...open].filter(isIt).length;
  return {
    /**
     * @returns leaves the place
     * @throws {AppError} `rate_limited`
     */
    take(place: Place): () => void {
      if (count(({ whose }) => whose === place.whose) >= OF_ONE)
        throw full(`You follow leads in ${OF_ONE} places already, which is the most. Close one.`);
      if (count(({ org_id }) => org_id === place.org_id) >= OF_ORGANIZATION)
        throw full(`${OF_ORGANIZATION} feeds of this organization are open, which is the most.`);
      if (open.size >= OF_PROCESS) throw full('Too many feeds are open here.');
      open.add(place);
      return () => open.delete(place);
    },
  };
}

const full = (what: string): AppError =>
  new AppError('rate_limited', `${what} Try again in ${RETRY_SECONDS} s.`, {
    retry_after: RETRY_SECONDS,
  });
