/**
 * What the state of an address in the US can be (USPS Publication 28, appendix B): the fifty states, the District of
 * Columbia, the territories, and the three areas of military post. In the order of their names.
 */
export const STATES: readonly (readonly [code: string, name: string])[] = (
  'AL Alabama|AK Alaska|AS American Samoa|AZ Arizona|AR Arkansas|AA Armed Forces Americas|AE Armed Forces Europe|' +
  'AP Armed Forces Pacific|CA California|CO Colorado|CT Connecticut|DE Delaware|' +
  'DC District of Columbia|FL Florida|GA Georgia|GU Guam|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|' +
  'KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|' +
  'MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|' +
  'ND North Dakota|MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|' +
  'RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VI Virgin Islands|' +
  'VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming'
)
  .split('|')
  .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const);
