export { type ArchiveSource, type PackedArchive, type PackProgress, packArchive } from './pack-archive.ts'
export { type ArchiveEntry, checkArchive, readArchive } from './read-archive.ts'
