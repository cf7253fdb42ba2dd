export { type ArchiveSource, type PackedArchive, type PackProgress, packArchive } from './pack-archive.ts'
export { checkArchive, readArchive } from './read-archive.ts'
