"""The Python SDK of 2019, version 2.1: its own way to sign, metadata by GET, properties in the old places."""

import json
import os
import sys

from azure.storage.blob import AppendBlobService, BlockBlobService, ContentSettings, Include, PageBlobService

given = json.load(sys.stdin)
own = {"DefaultEndpointsProtocol": "http", "AccountName": given["account"], "AccountKey": given["keys"][0]}
own["BlobEndpoint"] = given["endpoint"]
connection = {"connection_string": ";".join(f"{name}={value}" for name, value in own.items())}
service = BlockBlobService(**connection)
service.MAX_SINGLE_PUT_SIZE = 1 << 20
box, name = "python2", "dir/big ü"
data = os.urandom(9_000_001)

service.create_container(box, metadata={"a": "b"})
result = {"containerMetadata": service.get_container_metadata(box)}
service.create_blob_from_bytes(box, name, data, metadata={"foo_bar": "1", "x": "y"}, max_connections=2)
result["same"] = service.get_blob_to_bytes(box, name, max_connections=2).content == data
result["metadata"] = service.get_blob_metadata(box, name)
service.set_blob_properties(box, name, ContentSettings(content_type="a/b"))
properties = service.get_blob_properties(box, name).properties
result["properties"] = [properties.content_length, properties.content_settings.content_type]
service.snapshot_blob(box, name)
listed = service.list_blobs(box, include=Include(snapshots=True, metadata=True))
result["listed"] = [[blob.name, blob.snapshot is not None, blob.metadata] for blob in listed]
result["copy"] = service.copy_blob(box, "copy", service.make_blob_url(box, name)).status
service.acquire_blob_lease(box, "copy", 15)
result["broken"] = service.break_blob_lease(box, "copy", 0)
result["blocks"] = len(service.get_block_list(box, name).committed_blocks)
service.set_container_acl(box, public_access="blob")
result["access"] = service.get_container_acl(box).public_access
result["account"] = service.get_blob_account_information().account_kind
lines = AppendBlobService(**connection)
lines.create_blob(box, "log")
lines.append_blob_from_text(box, "log", "line")
result["appended"] = lines.get_blob_to_text(box, "log").content
pages = PageBlobService(**connection)
pages.create_blob_from_bytes(box, "pages", b"p" * 2048)
result["pages"] = [[page.start, page.end] for page in pages.get_page_ranges(box, "pages")]
service.delete_blob(box, name, delete_snapshots="include")
result["left"] = [blob.name for blob in service.list_blobs(box)]
result["deleted"] = service.delete_container(box)
print(json.dumps(result))
