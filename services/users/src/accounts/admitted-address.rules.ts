import { badRequest, type RealmFacts } from '@tms/contracts'

/**
 * Whether an organization takes an address as a member's. One that takes those of its domains only takes none as long as it
 * has named no domain. Throws BAD_REQUEST.
 */
export function checkAddressIsAdmitted(
  _address: string,
  realm: Pick<RealmFacts, 'emails_restricted_to_domains'>,
): void {
  if (realm.emails_restricted_to_domains)
    throw badRequest('The organization takes no addresses outside its domains')
}
