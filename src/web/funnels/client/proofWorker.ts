/** Runs in a worker: tries counters until a key begins as the service requires. */
import 'altcha/workers/pbkdf2';
