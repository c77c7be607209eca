/** Style sheets are bundled separately from the program. */
declare module '*.css';
