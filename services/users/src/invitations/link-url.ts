import type { RealmProjection } from '@tms/contracts'

export const linkUrlOf = ({ url }: Pick<RealmProjection, 'url'>, key: string): string => `${url}/join/${key}/`
