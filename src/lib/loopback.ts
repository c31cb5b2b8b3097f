const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1|::ffff:127(?:\.[0-9]{1,3}){3})$/i;

/** Whether what is sent to this host never leaves the machine: a loopback address without brackets, or `localhost`. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
