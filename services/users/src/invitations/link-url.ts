import type { RealmProjection } from '@tms/contracts'

/** Where a reusable link leads. */
export const linkUrlOf = ({ url }: Pick<RealmProjection, 'url'>, key: string): string => `${url}/join/${key}/`
