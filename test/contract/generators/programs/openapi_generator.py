"""Calls the service with the client that OpenAPI Generator wrote, and prints what it read as JSON."""
import json
import os
from datetime import datetime

import leadwire_client as api

given = json.loads(os.environ["GIVEN"])
at = {"host": given["url"]}
client = api.ApiClient(api.Configuration(**at, access_token=given["key"]))
supplier = api.ApiClient(api.Configuration(**at, api_key={"supplier_key": given["supplier_key"]}))
pinger = api.ApiClient(api.Configuration(**at, api_key={"supplier_key": given["ping_key"]}))
campaigns = api.CampaignsApi(client)

me = api.APIApi(client).whoami()
campaign = campaigns.get_campaign(api.GetCampaignRequest(campaign_id=given["campaign_id"]))
try:
    campaigns.get_campaign(api.GetCampaignRequest(campaign_id="nowhere"))
    refusal = None
except api.ApiException as refused:
    body = refused.data.actual_instance if hasattr(refused.data, "actual_instance") else refused.data
    refusal = {"status": refused.status, "success": body.success, "error": body.error}

lead = api.IngestLeadRequest.from_dict(given["lead"])
created = api.IngestApi(supplier).ingest_lead_with_http_info(lead)
outcome = api.RecordOutcomeRequest(lead_id=created.data.data.id, outcome="pending")
api.LeadsApi(client).record_outcome(outcome)
found = api.LeadsApi(client).get_leads(api.GetLeadsRequest(status="pending"))
ping = api.IngestApi(pinger).ping_lead(api.PingLeadRequest.from_dict(given["ping"])).actual_instance

print(json.dumps({
    "whoami": {
        "success": me.success,
        "organization": me.data.organization.id,
        "since": isinstance(me.data.key.created_at, datetime),
        "expires": me.data.key.expires_at,
        "permissions": "campaigns:write" in me.data.permissions,
    },
    "campaign": {"success": campaign.success, "id": campaign.data.id, "status": campaign.data.status},
    "refusal": refusal,
    "lead": {
        "code": created.status_code,
        "id": created.data.data.id,
        "status": created.data.data.status,
    },
    "leads": [{"id": one.id, "status": one.status} for one in found.data.leads],
    "ping": {"accepted": ping.accepted, "reason": ping.reason},
}))
