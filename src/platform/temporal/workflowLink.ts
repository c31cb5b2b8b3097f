/** Where the Temporal UI shows the workflows that handled a lead. */
export const temporalLink = (uiUrl: string, namespace: string, leadId: string): string =>
  `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(`LeadId="${leadId}"`)}`;
