/**
 * Properties of links in a message that narrows filter by: columns of `messages`, and SQL functions of the same
 * names that compute them from the HTML. Every statement that stores HTML must set them.
 */
export const LINK_MARKS = ['has_link', 'has_image', 'has_attachment'] as const
