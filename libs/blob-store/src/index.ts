export type { BlobStore } from './blob-store.ts'
export { type BlobStoreConfig, blobStoreVariables, openBlobStore } from './config.ts'
