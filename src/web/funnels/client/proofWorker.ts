/** Runs beside the page: tries counters until a key begins as the service says. */
import 'altcha/workers/pbkdf2';
