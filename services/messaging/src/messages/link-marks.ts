/**
 * What narrows ask of a message's links: columns of `messages`, and the functions of the same names that tell them
 * from its HTML. Whatever writes the HTML writes them.
 */
export const LINK_MARKS = ['has_link', 'has_image', 'has_attachment'] as const
