import { serviceNames } from './service-names.ts'

/** Folders of the packages that the Dockerfile deploys into images, with their production dependencies. */
export const imageRoots = [
  ...serviceNames.map((name) => `services/${name}`),
  'libs/local-system',
  'manage',
  'all-in-one',
]
