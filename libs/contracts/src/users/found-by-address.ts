/** By which addresses users are found. */
export const FOUND_BY_ADDRESS =
  'The API e-mail, the address `user{id}@{host}`, or the delivery e-mail if you may see it; case is ignored.'
