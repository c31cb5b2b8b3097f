/** The hosts of a MongoDB address, and whether it asks for TLS: as the driver reads it, without loading the driver. */

export interface MongodbAddress {
  /** Names and addresses, without ports; paths of socket files as they are. */
  hosts: string[];
  tls: boolean;
}

const SHAPE = /^mongodb(\+srv)?:\/\/(?:([^@]*)@)?([^/?@]+)(?:\/[^?]*)?(?:\?(.*))?$/s;

/** @returns null for what is no such address */
export function readMongodbAddress(uri: string): MongodbAddress | null {
  const [, srv, user = '', hosts = '', options = ''] = SHAPE.exec(uri) ?? [];
  if (hosts === '' || /[/?#[\]]/.test(user)) return null;
  return {
    hosts: hosts.split(',').map((host) => hostOf(decoded(host))),
    tls: tlsOf(new URLSearchParams(options)) ?? srv !== undefined,
  };
}

/** `[::1]:27017` is `::1`. */
function hostOf(address: string): string {
  const [, bracketed, plain = address] = /^(?:\[(.*)\]|([^:]*))(?::\d+)?$/.exec(address) ?? [];
  return bracketed ?? plain;
}

/** The names of options have no case; undefined where neither is there. */
function tlsOf(options: URLSearchParams): boolean | undefined {
  const values = [...options].filter(([name]) => /^(?:tls|ssl)$/i.test(name));
  return values.length === 0 ? undefined : values.every(([, value]) => value === 'true');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
