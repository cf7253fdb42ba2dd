export * from './open-picture.ts'
export * from './read-picture.ts'
