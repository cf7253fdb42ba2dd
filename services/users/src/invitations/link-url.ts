import type { RealmFacts } from '@tms/contracts'

/** Where a reusable link leads. */
export const linkUrlOf = ({ url }: Pick<RealmFacts, 'url'>, key: string): string => `${url}/join/${key}/`
