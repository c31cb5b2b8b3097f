/** A stylesheet is imported for what it does to the page. */
declare module '*.css';
