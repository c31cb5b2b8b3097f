"""Calls the service with the client that openapi-python-client wrote, and prints what it read as JSON."""
import json
import os
from datetime import datetime

from leadwire_client import AuthenticatedClient, models
from leadwire_client.api.api import whoami
from leadwire_client.api.campaigns import get_campaign
from leadwire_client.api.ingest import ingest_lead, ping_lead
from leadwire_client.api.leads import get_leads, record_outcome

given = json.loads(os.environ["GIVEN"])
client = AuthenticatedClient(base_url=given["url"], token=given["key"])
by_key = {"base_url": given["url"], "prefix": "", "auth_header_name": "x-api-key"}
supplier = AuthenticatedClient(**by_key, token=given["supplier_key"])
pinger = AuthenticatedClient(**by_key, token=given["ping_key"])

me = whoami.sync(client=client)
campaign = get_campaign.sync(client=client, body=models.GetCampaignBody(campaign_id=given["campaign_id"]))
refused = get_campaign.sync_detailed(client=client, body=models.GetCampaignBody(campaign_id="nowhere"))
lead = models.IngestLeadJsonBody.from_dict(given["lead"])
created = ingest_lead.sync_detailed(client=supplier, body=lead)
outcome = {"lead_id": created.parsed.data.id, "outcome": "pending"}
record_outcome.sync(client=client, body=models.RecordOutcomeBody.from_dict(outcome))
found = get_leads.sync(client=client, body=models.GetLeadsBody.from_dict({"status": "pending"}))
ping = ping_lead.sync(client=pinger, body=models.PingLeadJsonBody.from_dict(given["ping"]))

print(json.dumps({
    "whoami": {
        "success": me.success,
        "organization": me.data.organization.id,
        "since": isinstance(me.data.key.created_at, datetime),
        "expires": me.data.key.expires_at,
        "permissions": "campaigns:write" in [one.value for one in me.data.permissions],
    },
    "campaign": {"success": campaign.success, "id": campaign.data.id, "status": campaign.data.status.value},
    "refusal": {
        "status": refused.status_code.value,
        "success": refused.parsed.success,
        "error": refused.parsed.error.value,
    },
    "lead": {
        "code": created.status_code.value,
        "id": created.parsed.data.id,
        "status": created.parsed.data.status.value,
    },
    "leads": [{"id": one.id, "status": one.status.value} for one in found.data.leads],
    "ping": {"accepted": ping.accepted, "reason": ping.reason.value},
}))
